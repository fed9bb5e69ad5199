import { expect, test } from 'vitest'
import type { RegistryFileSource } from './entry-reader.js'
import { parseRegistryFile } from './parse-registry-file.js'
import { tryReadJson } from './read-json.js'

const source: RegistryFileSource = {
  file: 'registry.json',
  environment: 'test',
  tagged: false,
  otherFile: 'registry.developers.json',
  remedy: 'Correct it.',
}
const entry = '{ "service": "inventory", "host": "10.0.0.1", "port": 8080 }'
const other = '{ "host": "10.0.0.2", "port": 8080, "metadata": { "role": "a: \\"b\\": c" } }'

test('JSON is read as it would be as YAML', () => {
  const text = `{ "services": { "payment": [${other}] }, "instances": [${entry}] }`
  const read = tryReadJson(text, source)
  expect(read?.map(({ id }) => id)).toEqual(['payment@10.0.0.2:8080', 'inventory@10.0.0.1:8080'])
  // A comment makes it YAML.
  expect(parseRegistryFile(`${text} # the same`, source)).toEqual(read)
  expect(tryReadJson('{}', source)).toEqual([])
})

test.each([
  ['a key that stands there twice', `{ "instances": [${entry}],\n"instances": [] }`, 2],
  ['one in an entry', '{ "instances": [\n{ "service": "a", "host": "a", "port": 1,\n"port": 2 }] }', 3],
  ['an instance that stands there twice', `{ "instances": [${entry},\n${entry}] }`, 2],
  ['a field that cannot be read', `{ "instances": [\n{ "service": "a", "host": "a", "port": 0 }] }`, 2],
  ['a key that nobody knows', `{ "instances": [],\n"instance": [] }`, 2],
  ['a list that is none', `{\n"instances": null }`, 2],
  ['text that ends too early', `{\n"instances": [`, 2],
])('%s is a mistake in the line where it stands', (_, text, line) => {
  expect(tryReadJson(text, source)).toBeUndefined()
  expect(() => parseRegistryFile(text, source)).toThrow(
    expect.objectContaining({ code: 'ERR_WAYBILL_REGISTRY_FILE', facts: expect.objectContaining({ line }) }),
  )
})

test.each(['', '[]', 'null', 'instances: []', '{ instances: [] }'])('%j is no such JSON', (text) => {
  expect(tryReadJson(text, source)).toBeUndefined()
})
