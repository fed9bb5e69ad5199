// One process with several copies of the kit, named by their files. Prints what each of them sees of each other.
import http from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import axios from 'axios'

const require = createRequire(import.meta.url)
const files = JSON.parse(process.argv[2])
const copies = await Promise.all(
  files.map((file) => (file.endsWith('.cjs') ? require(file) : import(pathToFileURL(file).href))),
)

const codeOf = (fn) => {
  try {
    return fn()
  } catch (error) {
    return error.code
  }
}

/** A wrapper of `one` is none to be wrapped again by `other`. */
const wrapsOnce = (one, other, kit) =>
  Object.entries({ axiosWaybill: axios, fetchWaybill: fetch, httpWaybill: http }).every(([name, host]) => {
    const wrapper = one[name](kit, host)
    return other[name](kit, wrapper) === wrapper
  })

/** What `other` sees of a request that is `one`'s, and makes of what `one` has made. */
const across = (one, other) => {
  const kit = one.createKit({ service: 'shop', environment: 'test' })
  return one.withWaybill({ clk: 'alice' }, () => {
    const bound = other.bindWaybill(() => one.currentWaybill().clk)
    one.bindShardKey('user-42')
    return {
      apart: one.currentWaybill !== other.currentWaybill,
      tag: other.currentWaybill().clk,
      bound: one.withWaybill({ clk: 'bob' }, bound),
      inner: other.withWaybill({ clk: 'bob' }, () => one.currentWaybill().clk),
      detached: kit.detached(() => other.currentWaybill().clk ?? 'none')(),
      key: codeOf(() => other.bindShardKey('user-43')),
      error: other.isWaybillError(new one.WaybillError('ERR_WAYBILL_NO_SCOPE', {})),
      wrappedOnce: wrapsOnce(one, other, kit),
    }
  })
}

const pairs = copies.flatMap((one, at) =>
  copies.filter((_, other) => other !== at).map((other) => [one, other]),
)
const seen = pairs.map(([one, other]) => across(one, other))
process.stdout.write(JSON.stringify({ seen, storages: globalThis.placesOfStorages.length }))
