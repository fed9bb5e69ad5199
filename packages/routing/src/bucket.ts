import type { Decision } from './decide.js'
import { FAILING } from './health.js'
import type { Instance } from './instance.js'
import type { Provider } from './provider.js'

/** Where one provider stands in one bucket. */
export interface Place {
  readonly provider: Provider
  readonly bucket: Bucket
  readonly weightClass: WeightClass
  position: number
}

/**
 * Members whose weights lie in (ceiling / 2, ceiling]. What is known of them stands in lists side by side: a draw among
 * very many is as dear as the memory that it touches, so it compares numbers and touches no member.
 */
interface WeightClass {
  readonly ceiling: number
  readonly members: Provider[]
  readonly instances: Instance[]
  readonly weights: number[]
  /** As in {@link Provider.load}, kept up to date by whoever changes it. */
  readonly loads: number[]
  readonly places: Place[]
  /** The index of its first member among all of the bucket. */
  start: number
  total: number
}

/** With weights above half of the ceiling a draw is rejected at most every second time; this ends a broken random. */
const MAX_REJECTIONS = 32

/**
 * A set of candidates that is changed one by one and drawn from by weight, both in a time that does not grow with the
 * number of members. Weights fall into classes by powers of two; a draw takes a class by its total and then rejects
 * within it (Matias, Vitter, Ni: "Dynamic Generation of Discrete Random Variates", 2003). With equal weights that is
 * one class, one random number and no rejection.
 */
export class Bucket {
  // What is asked for at each call first, so that it lies in one line of the cache.
  #size = 0
  #soleInstance: Instance | undefined
  /** The class of all members, where all have the same chance. */
  #even: WeightClass | undefined
  #sole: Provider | undefined
  #classes: WeightClass[] = []
  #total = 0
  /** The decision for this bucket where nothing else is to say. `decide`'s to keep. */
  settled: Decision | undefined = undefined

  get size(): number {
    return this.#size
  }

  /** True if all members have the same chance, of a weight that is a power of two; 1 is one. */
  get even(): boolean {
    return this.#even !== undefined
  }

  /** The only member, where there is but one, as with most tags. */
  get sole(): Provider | undefined {
    return this.#sole
  }

  /** Its instance, without a look at the member. */
  get soleInstance(): Instance | undefined {
    return this.#soleInstance
  }

  add(provider: Provider): void {
    const { weight } = provider.instance
    const ceiling = 2 ** Math.ceil(Math.log2(weight))
    let weightClass = this.#classes.find((each) => each.ceiling === ceiling)
    if (weightClass === undefined) {
      weightClass = {
        ceiling,
        members: [],
        instances: [],
        weights: [],
        loads: [],
        places: [],
        start: 0,
        total: 0,
      }
      this.#classes.push(weightClass)
    }
    const { members, instances, weights, loads, places } = weightClass
    const place: Place = { provider, bucket: this, weightClass, position: places.length }
    members.push(provider)
    instances.push(provider.instance)
    weights.push(weight)
    loads.push(provider.load)
    places.push(place)
    provider.places.push(place)
    this.#size += 1
    this.#weigh(weightClass, weight)
  }

  /** The last member takes the free place. Leaves `provider.places` to the caller, who empties it. */
  remove(place: Place): void {
    const { weightClass, position } = place
    const { members, instances, weights, loads, places } = weightClass
    members.pop()
    instances.pop()
    const weight = weights.pop() as number
    const load = loads.pop() as number
    const last = places.pop() as Place
    if (last !== place) {
      members[position] = last.provider
      instances[position] = last.provider.instance
      weights[position] = weight
      loads[position] = load
      places[position] = last
      last.position = position
    }
    this.#size -= 1
    if (places.length === 0) this.#classes = this.#classes.filter((each) => each !== weightClass)
    this.#weigh(weightClass, -place.provider.instance.weight)
  }

  has(provider: Provider): boolean {
    return provider.places.some((place) => place.bucket === this)
  }

  /** The member at an index of an order that holds until the next change. */
  at(index: number): Provider {
    const weightClass = this.#classAt(index)
    return weightClass.members[index - weightClass.start] as Provider
  }

  /** Its instance, without a look at the member. */
  instanceAt(index: number): Instance {
    const weightClass = this.#classAt(index)
    return weightClass.instances[index - weightClass.start] as Instance
  }

  /** One member, by weight. The bucket is not empty. @param random in [0, 1). */
  draw(random: () => number): Provider {
    const weightClass = this.#drawClass(random)
    return weightClass.members[drawPosition(weightClass, random)] as Provider
  }

  /**
   * The index of the less loaded of two drawn by weight; undefined where both are failing. Of equal weights the two differ. Of
   * unlike ones the second may be the first again: if it had to differ, the lighter one of two would be in every draw
   * and get half of the calls. The bucket has two members at least. @param random in [0, 1).
   */
  drawOfTwo(random: () => number): number | undefined {
    const even = this.#even
    if (even !== undefined) return drawOfTwoEven(even, random())
    const ours = this.#drawClass(random)
    const one = drawPosition(ours, random)
    const theirs = this.#drawClass(random)
    const other = drawPosition(theirs, random)
    const load = ours.loads[one] as number
    if ((theirs.loads[other] as number) < load) return theirs.start + other
    return load === FAILING ? undefined : ours.start + one
  }

  *[Symbol.iterator](): Iterator<Provider> {
    for (const { members } of this.#classes) yield* members
  }

  #classAt(index: number): WeightClass {
    for (const each of this.#classes) if (index < each.start + each.members.length) return each
    throw new RangeError(`a bucket of ${this.#size} has no member ${index}`)
  }

  #drawClass(random: () => number): WeightClass {
    const last = this.#classes.at(-1)
    if (last === undefined) throw new RangeError('an empty bucket has no member to draw')
    if (this.#classes.length === 1) return last
    let rest = random() * this.#total
    for (const each of this.#classes) if ((rest -= each.total) < 0) return each
    return last
  }

  /** Summed anew over the few classes, so that rounding does not add up. */
  #weigh(weightClass: WeightClass, weight: number): void {
    weightClass.total += weight
    this.#total = 0
    let start = 0
    for (const each of this.#classes) {
      each.start = start
      start += each.members.length
      this.#total += each.total
    }
    const [only, another] = this.#classes
    const isEven =
      only !== undefined && another === undefined && only.total === only.ceiling * only.members.length
    this.#even = isEven ? only : undefined
    this.#sole = this.#size === 1 ? only?.members[0] : undefined
    this.#soleInstance = this.#sole?.instance
  }
}

/** The position of one member of a class, by weight. */
function drawPosition({ weights, ceiling }: WeightClass, random: () => number): number {
  for (let rejections = 0; ; rejections += 1) {
    const position = Math.floor(random() * weights.length)
    const weight = weights[position] as number
    if (weight === ceiling || rejections === MAX_REJECTIONS || random() * ceiling < weight) return position
  }
}

/** Two members of a class with equal weights, by one random number: what the first draw leaves of it makes the second. */
function drawOfTwoEven({ loads }: WeightClass, random: number): number | undefined {
  const scaled = random * loads.length
  const one = Math.floor(scaled)
  const rest = Math.floor((scaled - one) * (loads.length - 1))
  // The others alone: those after the first move up by one.
  const other = rest < one ? rest : rest + 1
  const load = loads[one] as number
  if ((loads[other] as number) < load) return other
  return load === FAILING ? undefined : one
}
