import { createRequire, syncBuiltinESMExports } from 'node:module'
import { trace, type TracerProvider } from '@opentelemetry/api'

/** What a test asks of an instrumentation. */
interface Instrumentation {
  setTracerProvider(provider: TracerProvider): void
  enable(): void
  disable(): void
}

const require = createRequire(import.meta.url)

/** Modules that a test instruments and leaves alone again, as the auto-instrumentation of one SDK does, or that of two. */
export class Instrumented {
  readonly #ofEachSdk: readonly (readonly Instrumentation[])[]

  /** A module is patched by those instrumentations that there were when it was first required: so all are made at once. */
  constructor(ofEachSdk: readonly (readonly Instrumentation[])[], modules: readonly string[]) {
    this.#ofEachSdk = ofEachSdk
    for (const each of ofEachSdk.flat()) each.disable()
    for (const module of modules) require(module)
  }

  /**
   * @param sdks how many SDKs bring their instrumentations along. Default 1.
   * @returns an undo.
   */
  enable(sdks = 1): () => void {
    const enabled = this.#ofEachSdk.slice(0, sdks).flat()
    for (const each of enabled) {
      each.setTracerProvider(trace.getTracerProvider())
      each.enable()
    }
    // ES modules see what was patched when their exports are synchronised.
    syncBuiltinESMExports()
    return () => {
      for (const each of enabled.reverse()) each.disable()
      syncBuiltinESMExports()
    }
  }
}
