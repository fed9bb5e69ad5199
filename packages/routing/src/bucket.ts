import type { Provider } from './provider.js'

/** Where one provider stands in one bucket. */
export interface Place {
  readonly provider: Provider
  readonly bucket: Bucket
  readonly weightClass: WeightClass
  position: number
}

/** Members whose weights lie in (ceiling / 2, ceiling]. */
interface WeightClass {
  readonly ceiling: number
  /** The members alone, beside their places: a draw among very many is as dear as the memory that it touches. */
  readonly members: Provider[]
  readonly places: Place[]
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
  #classes: WeightClass[] = []
  #total = 0
  #size = 0
  /** All members, where all have the same chance. */
  #even: readonly Provider[] | undefined
  #sole: Provider | undefined

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

  add(provider: Provider): void {
    const { weight } = provider.instance
    const ceiling = 2 ** Math.ceil(Math.log2(weight))
    let weightClass = this.#classes.find((each) => each.ceiling === ceiling)
    if (weightClass === undefined) {
      weightClass = { ceiling, members: [], places: [], total: 0 }
      this.#classes.push(weightClass)
    }
    const { members, places } = weightClass
    const place: Place = { provider, bucket: this, weightClass, position: places.length }
    members.push(provider)
    places.push(place)
    provider.places.push(place)
    this.#size += 1
    this.#weigh(weightClass, weight)
  }

  /** The last member takes the free place. Leaves `provider.places` to the caller, who empties it. */
  remove(place: Place): void {
    const { weightClass, position } = place
    const { members, places } = weightClass
    members.pop()
    const last = places.pop() as Place
    if (last !== place) {
      members[position] = last.provider
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
    let rest = index
    for (const { members } of this.#classes) {
      if (rest < members.length) return members[rest] as Provider
      rest -= members.length
    }
    throw new RangeError(`a bucket of ${this.#size} has no member ${index}`)
  }

  /** One member, by weight. The bucket is not empty. @param random in [0, 1). */
  draw(random: () => number): Provider {
    const even = this.#even
    if (even !== undefined) return even[Math.floor(random() * even.length)] as Provider
    const { members, ceiling } = this.#drawClass(random)
    for (let rejections = 0; ; rejections += 1) {
      const provider = members[Math.floor(random() * members.length)] as Provider
      const { weight } = provider.instance
      if (weight === ceiling || rejections === MAX_REJECTIONS || random() * ceiling < weight) return provider
    }
  }

  *[Symbol.iterator](): Iterator<Provider> {
    for (const { members } of this.#classes) yield* members
  }

  #drawClass(random: () => number): WeightClass {
    const last = this.#classes.at(-1)
    if (last === undefined) throw new RangeError('an empty bucket has no member to draw')
    if (this.#classes.length === 1) return last
    let rest = random() * this.#total
    return this.#classes.find((each) => (rest -= each.total) < 0) ?? last
  }

  /** Summed anew over the few classes, so that rounding does not add up. */
  #weigh(weightClass: WeightClass, weight: number): void {
    weightClass.total += weight
    this.#total = this.#classes.reduce((sum, each) => sum + each.total, 0)
    const [only, another] = this.#classes
    const isEven =
      only !== undefined && another === undefined && only.total === only.ceiling * only.members.length
    this.#even = isEven ? only.members : undefined
    this.#sole = this.#size === 1 ? only?.members[0] : undefined
  }
}
