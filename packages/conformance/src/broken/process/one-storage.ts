/** An adapter with a storage of its own beside the kit's. */
export function bringsItsOwn(path: string, text: string): string {
  if (path !== '@waybill/adapters/dist/express.mjs') return text
  return `import { AsyncLocalStorage as Own } from 'node:async_hooks'\nnew Own()\n${text}`
}
