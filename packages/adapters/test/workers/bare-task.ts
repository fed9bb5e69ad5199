/** A worker that knows nothing of the kit. */
export default (task: unknown): unknown => task
