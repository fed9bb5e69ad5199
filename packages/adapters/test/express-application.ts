import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type express5 from 'express'
import type { Express, NextFunction, Request, Response, RequestHandler } from 'express'

type ExpressModule = typeof express5

const require = createRequire(import.meta.url)
// Neither has types of its own; what is used of express 4 is the same in both versions.
const multer = require('multer') as () => { single(name: string): RequestHandler }
export const expresses: readonly (readonly [string, ExpressModule])[] = [
  ['express 5', require('express') as ExpressModule],
  ['express 4', require('express4') as ExpressModule],
]

const here = fileURLToPath(new URL('.', import.meta.url))

/** What an application of express puts on the prototypes of its requests and replies. */
export interface Extended {
  readonly tenant?: string
  shout?(text: string): void
}
type ExtendedRequest = Request & Extended
type ExtendedResponse = Response & Extended

/** An application that uses most of what express has. `first` stands before all of it. */
export function expressApplication(express: ExpressModule, first: readonly RequestHandler[] = []): Express {
  const app = express()
  for (const handler of first) app.use(handler)

  app.all('/fields', (req: ExtendedRequest, res) => {
    const own = (name: string): boolean => name in req
    res.json({
      own: ['body', 'user', 'file', 'session', 'cookies', 'rawBody', '_body', 'query'].map(own),
      values: [req.body, req.res === res, res.req === req, req.baseUrl, req.originalUrl, req.params],
      query: req.query,
      locals: res.locals,
      tenant: req.tenant,
      prototypes: [Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response],
      names: [req.constructor.name, res.constructor.name],
      json: Object.keys(JSON.parse(JSON.stringify(req.headers)) as object),
    })
  })
  app.get('/shout', (_req, res: ExtendedResponse) => {
    res.shout?.('hello')
  })
  app.get('/text', (_req, res) => void res.set('X-Own', 'yes').send('some text'))
  app.post('/json', express.json(), (req, res) => void res.json(req.body ?? 'no body'))
  app.post(
    '/form',
    express.urlencoded({ extended: true }),
    (req, res) => void res.json(req.body ?? 'no body'),
  )
  app.post('/upload', multer().single('file'), (req: Request & { file?: { size: number } }, res) => {
    res.json([req.file?.size, req.body])
  })
  app.post('/events', (req, res) => {
    const pieces: string[] = []
    req.on('data', (piece: Buffer) => pieces.push(piece.toString()))
    req.on('end', () => void res.json([pieces.join(''), req.trailers]))
  })
  app.get('/file', (_req, res) => {
    res.sendFile('loopback.ts', { root: here, lastModified: false })
  })
  app.get('/moved', (_req, res) => {
    res.redirect('/text')
  })
  app.get('/cookies', (_req, res) => {
    res.cookie('a', 'b').format({ json: () => res.json({ a: 1 }), html: () => res.send('<p>1</p>') })
  })
  app.get('/throws', () => {
    throw new Error('thrown on purpose')
  })
  app.get('/streamed', (_req, res) => {
    Readable.from(pieces()).pipe(res)
  })
  app.get('/trailers', (_req, res) => {
    res.writeHead(200, { trailer: 'x-sum' })
    res.write('body')
    res.addTrailers({ 'x-sum': '4' })
    res.end()
  })
  app.get('/slow', (_req, res) => {
    setTimeout(() => res.send('slow'), 20)
  })
  const once = new WeakSet<object>()
  app.all('/once', (req, res) => {
    // Nothing of one request is on the next of its connection.
    const fields = Reflect.ownKeys(req).filter((key) => Reflect.get(req, key) === 'mark')
    const locals = Object.keys(res.locals as object)
    Object.assign(req, { user: 'mark' })
    Object.assign(res.locals, { user: 'mark' })
    res.json([once.has(req), fields, locals])
    once.add(req)
  })
  app.use('/orders/:order', itemsOf(express))
  app.use('/sub', subApps(express))
  app.use('/after', express().use(pass), (req, res) => {
    res.json([req.app === app, Object.getPrototypeOf(req) === app.request, req.baseUrl, req.url])
  })
  return app
}

/** With time between them, so that each is written as a chunk. */
async function* pieces(): AsyncGenerator<string> {
  for (const piece of ['a', 'bc', 'def']) {
    yield piece
    await sleep(5)
  }
}

const pass = (_req: Request, _res: Response, next: NextFunction): void => {
  next()
}

function itemsOf(express: ExpressModule): express5.Router {
  const router = express.Router({ mergeParams: true })
  router.param('item', (req, _res, next, item: string) => {
    Object.assign(req, { item: item.toUpperCase() })
    setImmediate(next)
  })
  router
    .route('/items/:item')
    .all(pass)
    .get((req: Request & { item?: string }, res) => {
      res.json([req.params, req.item, req.baseUrl, req.url, (req.route as { path: string }).path])
    })
  return router
}

function subApps(express: ExpressModule): Express {
  const sub = express()
  const inner = express()
  Object.assign(sub.request, { depth: 'sub' })
  Object.assign(inner.request, { depth: 'inner' })
  inner.get('/', (req: Request & { depth?: string }, res) => {
    res.locals['from'] = 'inner'
    const instance = Object.getPrototypeOf(req) === inner.request
    res.json([req.depth, instance, req.app === inner, req.baseUrl, req.originalUrl, res.locals, inner.path()])
  })
  inner.use((_req, _res, next) => {
    next(new Error('of the inner app'))
  })
  sub.use('/inner', inner)
  sub.use((error: Error, req: Request & { depth?: string }, res: Response, _next: NextFunction) => {
    res.status(418).json([error.message, req.depth, req.app === sub])
  })
  return sub
}
