import { eventNames, subscribe, type EventName, type WaybillEvents } from '../events.js'

/** One recorded event. */
export type EventRecord = {
  [Name in EventName]: { readonly name: Name; readonly event: WaybillEvents[Name] }
}[EventName]

/** Everything that the kit has published since {@link recordEvents}. */
export interface EventRecorder {
  /** In the order of publishing. */
  readonly all: readonly EventRecord[]
  /** The events of one channel. */
  of<Name extends EventName>(name: Name): readonly WaybillEvents[Name][]
  /** Forgets what was recorded. */
  clear(): void
  /** Ends the recording. */
  stop(): void
}

/** Records the kit's events, of all channels or of those named. Events of every kit of the process arrive. */
export function recordEvents(names: readonly EventName[] = eventNames): EventRecorder {
  const all: EventRecord[] = []
  const stops = names.map((name) =>
    subscribe(name, (event) => {
      all.push({ name, event } as EventRecord)
    }),
  )
  return {
    all,
    of: <Name extends EventName>(name: Name) =>
      all.filter((record) => record.name === name).map((record) => record.event as WaybillEvents[Name]),
    clear() {
      all.length = 0
    },
    stop() {
      for (const stop of stops) stop()
    },
  }
}
