export { registryLaws } from './registry-laws.js'
export type { Answer, Answers, No } from './answer.js'
export type {
  RegistryChange,
  RegistryFaults,
  RegistryHolder,
  RegistryIndex,
  RegistryInstance,
  RegistryLawName,
  RegistryLease,
  RegistryRecord,
  RegistryUnderTest,
  RegistryWorld,
} from './registry-record.js'
