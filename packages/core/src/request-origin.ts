/** The members of an HTTP request that are looked at; what only looks like a request may lack the last two. */
interface OriginRequest {
  readonly headers: Readonly<Record<string, unknown>>
  readonly rawTrailers?: readonly string[]
  readonly trailers?: object
}

/**
 * What stands for a request of node:http wherever its waybill goes: a small object that Node makes with each request and that
 * holds nothing of it, so that a waybill in a timer does not hold the headers. That is the list of raw trailers; but Node
 * replaces it where trailers come, which a chunked request alone can have.
 */
export function requestOrigin(req: OriginRequest): object {
  const { headers } = req
  return (headers['transfer-encoding'] === undefined ? req.rawTrailers : req.trailers) ?? headers
}
