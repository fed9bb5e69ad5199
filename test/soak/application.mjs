import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { expressWaybill } from '@waybill/adapters/express'
import { createKit, currentWaybill, subscribe } from '@waybill/core'
import { memoryRegistry, route } from '@waybill/routing'
import { messageWork } from './message-work.mjs'
import { outgoingCalls } from './outgoing-calls.mjs'
import { openPool } from './pool.mjs'
import { WorkUnderWay } from './work-under-way.mjs'

/** How long a timer of a request lives on after its reply. */
const AFTER_MS = 100
/** Between the pieces of a reply that is read only in part. */
const PIECE_MS = 2

/** What the load generator compares. */
const answer = () => ({ key: currentWaybill().shardKey })

/**
 * The application under soak. Its clients vary tag and key without end, and so do the messages that it consumes, so
 * whatever is kept by either shows.
 * @param {readonly import('@waybill/routing').Instance[]} instances that it may call
 * @param {import('./soaked-server.js').Leak | undefined} leak
 */
export const soakedApplication = async (instances, leak) => {
  const registry = memoryRegistry({ instances })
  const kit = createKit({
    service: 'order',
    environment: 'test',
    services: { inventory: {}, broken: {} },
    interceptors: [route({ registry })],
  })
  const { keyInWorker, heapOfWorker } = openPool(kit)
  const work = new WorkUnderWay()
  /** @type {Record<string, number>} */
  const seen = { adopted: 0, dropped: 0, failed: 0, aborted: 0, lateTimers: 0 }
  const count = (/** @type {string} */ what) => {
    seen[what] = (seen[what] ?? 0) + 1
  }
  subscribe('adopted', () => count('adopted'))
  subscribe('dropped', () => count('dropped'))

  /** @type {unknown[]} */
  const kept = []
  const app = express().disable('etag')
  app.use((_req, res, next) => {
    const done = work.begin()
    res.once('close', () => {
      if (!res.writableFinished) count('aborted')
      done()
    })
    next()
  })
  app.use(expressWaybill(kit))
  app.use((req, _res, next) => {
    if (leak === 'waybills of requests') kept.push(currentWaybill())
    if (leak === 'objects') kept.push({ path: req.path, at: kept.length, next: undefined, done: false })
    next()
  })

  app.get('/plain', (_req, res) => {
    res.json(answer())
  })
  app.get('/awaits', async (_req, res) => {
    for (let at = 0; at < 5; at++) await Promise.resolve()
    await turn()
    res.json(answer())
  })
  app.get('/throws', () => {
    throw new Error('thrown on purpose')
  })
  app.get('/rejects', async () => {
    await turn()
    throw new Error('rejected on purpose')
  })
  app.get('/later', (_req, res) => {
    const done = work.begin()
    const { shardKey } = currentWaybill()
    setTimeout(() => {
      if (currentWaybill().shardKey === shardKey) count('lateTimers')
      done()
    }, AFTER_MS)
    res.json(answer())
  })
  app.post('/bytes', (req, res) => {
    let bytes = 0
    req.on('data', (piece) => (bytes += piece.length))
    req.on('end', () => res.json({ ...answer(), bytes }))
  })
  app.post('/json', express.json(), (req, res) => {
    res.json({ ...answer(), bytes: JSON.stringify(req.body).length })
  })
  app.get('/drip', async (_req, res) => {
    const done = work.begin()
    while (!res.destroyed) {
      res.write('a piece of a reply without end')
      await sleep(PIECE_MS)
    }
    done()
  })
  for (const [path, call] of Object.entries(outgoingCalls(kit, count))) {
    app.get(path, async (_req, res) => {
      const done = work.begin()
      try {
        const { key } = await call()
        if (!res.destroyed) res.json({ ...answer(), same: key === currentWaybill().shardKey })
      } finally {
        done()
      }
    })
  }
  // Four parameters are what makes it a handler of errors.
  app.use(
    /** @type {(error: unknown, req: unknown, res: import('express').Response, next: unknown) => void} */
    (_error, _req, res, _next) => {
      count('failed')
      if (!res.headersSent) res.status(500).json(answer())
    },
  )
  const consume = await messageWork(kit, {
    work,
    count,
    keep() {
      if (leak === 'waybills of messages') kept.push(currentWaybill())
    },
    keyInWorker,
  })
  return { app, work, seen, consume, heapOfWorker }
}
