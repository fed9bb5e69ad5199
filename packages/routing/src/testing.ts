export { testKit } from './testing/test-kit.js'
export type { TestInstance, TestKitOptions } from './testing/test-kit.js'
