'use strict'
const { ClsMiddleware, ClsServiceManager } = require('nestjs-cls')
const { ClsPluginsHooksHost } = require('nestjs-cls/dist/src/lib/plugin/cls-plugin-hooks-host')

/**
 * Its middleware alone, without a Nest application: no plugins, no proxy providers, and only the key is kept.
 * @returns {import('../server.cjs').Wiring}
 */
const wire = () => {
  // What `app.init()` makes of no plugins; the middleware asks for it even where it is told to use none.
  const discovery = /** @type {any} */ ({ getProviders: () => [] })
  new ClsPluginsHooksHost(discovery).onModuleInit()
  const cls = ClsServiceManager.getClsService()
  const { use } = new ClsMiddleware({
    initializePlugins: false,
    resolveProxyProviders: false,
    saveReq: false,
    setup: (store, /** @type {import('express').Request} */ req) => {
      store.set('key', req.headers['x-shard-key'])
    },
  })
  return { middleware: use, key: () => cls.get('key') }
}

module.exports = { wire }
