import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startBroker, startJvmBroker, startKafka } from '@waybill/servers/kafka'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aTopic } from './a-topic.js'
import { client } from './client.js'
import { aGroup, consumed } from './consume.js'
import { produce } from './produce.js'

const PARENT = fileURLToPath(new URL('parent-process.mjs', import.meta.url))

/** A dead process may stand as a zombie where the first process of the system does not wait for orphans. */
function runs(pid: number): boolean {
  try {
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z')
  } catch {
    return false
  }
}

async function aBroker(): ReturnType<typeof startBroker> {
  const broker = await startBroker()
  onTestFinished(() => broker.stop())
  return broker
}

test('what is produced is consumed', async () => {
  const kafka = client()
  const topic = await aTopic(kafka)
  await produce(kafka, { topic, messages: [{ key: '42', value: 'one', headers: { baggage: 'clk=alice' } }] })
  const [received] = await consumed(kafka.consumer(aGroup()), [topic], 1)
  expect(String(received?.message.key)).toBe('42')
  expect(String(received?.message.value)).toBe('one')
  expect(String(received?.message.headers?.['baggage'])).toBe('clk=alice')
})

test('a broker that crashes keeps what it acknowledged, and comes back on the same address', async () => {
  const broker = await aBroker()
  const kafka = client(broker.brokers)
  const topic = await aTopic(kafka)
  const values = ['one', 'two', 'three']
  await produce(kafka, { topic, messages: values.map((value) => ({ value })) })

  await broker.crash()
  expect(broker.pid).toBeUndefined()
  await broker.restart()
  const received = await consumed(client(broker.brokers).consumer(aGroup()), [topic], values.length)
  expect(received.map(({ message }) => String(message.value))).toEqual(values)
})

test('two brokers at once know nothing of each other', async () => {
  const [one, other] = await Promise.all([aBroker(), aBroker()])
  const topic = await aTopic(client(one.brokers))
  const admin = client(other.brokers).admin()
  onTestFinished(() => admin.disconnect())
  await admin.connect()
  expect(await admin.listTopics()).not.toContain(topic)
})

test('a broken configuration is an error with the tail of the log', async () => {
  const starting = startBroker({ properties: { 'num.io.threads': 'many' } })
  await expect(starting).rejects.toThrow(/^Kafka ended with code 1 before it was ready\n[^]*num\.io\.threads/)
})

test('a broker that was stopped leaves neither process nor data', async () => {
  const broker = await startJvmBroker()
  const { subject } = broker
  const pid = broker.pid!
  expect([runs(pid), existsSync(subject)]).toEqual([true, true])
  await broker.stop()
  expect([runs(pid), existsSync(subject)]).toEqual([false, false])
  await broker.stop()
})

test('broker and data vanish when the process that started it is killed', async () => {
  const parent = fork(PARENT)
  const [{ pid, directory }] = (await once(parent, 'message')) as [{ pid: number; directory: string }]
  expect([runs(pid), existsSync(directory)]).toEqual([true, true])
  parent.kill('SIGKILL')
  await vi.waitUntil(() => !runs(pid) && !existsSync(directory), { timeout: 30_000 })
})

test('a Kafka that the environment names is used as it is', async () => {
  vi.stubEnv('KAFKA_BROKERS', 'one:9092,two:9092')
  onTestFinished(() => void vi.unstubAllEnvs())
  const kafka = await startKafka()
  expect(kafka.brokers).toEqual(['one:9092', 'two:9092'])
  await kafka.stop()
})

test('a machine that can run none is told what to type', async () => {
  vi.stubEnv('PATH', '/nowhere')
  vi.stubEnv('JAVA_HOME', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(startBroker()).rejects.toThrow('\n  apt-get install -y maven openjdk-17-jre-headless\n')
})
