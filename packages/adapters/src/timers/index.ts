export { everyDetached } from './timers.js'
export { watchScopes, type WatchScopesOptions } from './watch-scopes.js'
