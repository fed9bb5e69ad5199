// One process with two copies of core. Prints how the second one's createKit ends, and what it reads meanwhile.
import { loadBoth } from './builds.mjs'

const [first, second] = JSON.parse(process.argv[2])
const options = { service: 'near', environment: 'test', clks: [], baseline: false, disabled: false }
const load = async (folder) => (await loadBoth(folder, ['@waybill/core'])).esm
const one = await load(first)
const other = await load(second)
one['@waybill/core'].createKit(options)
let error
try {
  other['@waybill/core'].createKit(options)
} catch (caught) {
  error = caught
}
const read = one['@waybill/core/testing'].withWaybill({ clk: 'alice' }, () =>
  String(other['@waybill/core'].tryCurrentWaybill()?.clk),
)
process.stdout.write(
  JSON.stringify({ code: error?.code, message: error?.message, facts: error?.facts, read }),
)
