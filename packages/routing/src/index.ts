// Choosing.
export { route } from './route.js'
export type { RouteOptions } from './route.js'
export { select } from './select.js'
export type { Selection, SelectOptions, SelectRequest } from './select.js'
export { explain } from './explain.js'
export type { Explanation, ExplainOptions, Verdict, VerdictWord } from './explain.js'
export type { Note, Policy, Reason, Step } from './decide.js'
export type { Requirement } from './candidate-view.js'
export type { InstanceInput } from './instance-list.js'

// Announcing.
export { announce } from './announce.js'
export type { AnnounceOptions, Announcement } from './announce.js'

// Registries.
export { memoryRegistry } from './registries/memory.js'
export type { MemoryRegistryOptions } from './registries/memory.js'
export { fileRegistry } from './registries/file.js'
export type { FileRegistryOptions } from './registries/file.js'
export { directoryRegistry } from './registries/directory.js'
export type { DirectoryRegistryOptions } from './registries/directory.js'

// For authors of registries and balancers.
export type { InstanceChange, Lease, LeaseState, Registry, RegistryLife } from './registry.js'
export { readInstance } from './instance.js'
export type { FieldProblem, FieldProblemCode, Instance, InstanceReading } from './instance.js'
export { ServiceIndex } from './service-index.js'
export type { ServiceIndexOptions } from './service-index.js'
export { twoChoices } from './balance/two-choices.js'
export { roundRobin } from './balance/round-robin.js'
export type { Balancer } from './balance/balancer.js'
export type { Bucket } from './bucket.js'
export type { Provider } from './provider.js'
