export { registryLaws } from './registry-laws.js'
export type {
  RegistryAnswer,
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
