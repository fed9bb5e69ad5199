/** A leaf with more entries than this becomes a branch. Moving or growing so many takes a few dozen microseconds. */
const LEAF_AT_MOST = 1_024
const BITS = 4
const CHILDREN = 2 ** BITS
/** The hash has no more bits; whatever is left stays in one leaf. */
const DEEPEST = 32 / BITS - 1

type Leaf<V> = Map<string, V>
type Branch<V> = Node<V>[]
type Node<V> = Leaf<V> | Branch<V>

/**
 * A map from texts whose slowest change takes no longer among a million entries than among a thousand. The built-in
 * Map is a hash table that is copied whole when it grows, and also when enough has been deleted from it: 5 to 15 ms at
 * 100,000 entries, in which the process answers nobody. This one is a tree of small Maps, by the bits of a hash.
 *
 * Entries come in the order of insertion while they are few, in none above that.
 */
export class SteadyMap<V> {
  #root: Node<V> = new Map()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: string): V | undefined {
    return this.#leafOf(key).get(key)
  }

  set(key: string, value: V): void {
    const leaf = this.#leafOf(key)
    const before = leaf.size
    leaf.set(key, value)
    if (leaf.size === before) return
    this.#size += 1
    if (leaf.size > LEAF_AT_MOST) this.#split(key)
  }

  delete(key: string): boolean {
    const deleted = this.#leafOf(key).delete(key)
    if (deleted) this.#size -= 1
    return deleted
  }

  clear(): void {
    this.#root = new Map()
    this.#size = 0
  }

  values(): IterableIterator<V> {
    return valuesOf(this.#root)
  }

  #leafOf(key: string): Leaf<V> {
    let node = this.#root
    if (node instanceof Map) return node
    for (let hash = hashOf(key); !(node instanceof Map); hash >>>= BITS) node = childOf(node, hash)
    return node
  }

  /** Makes a branch of the leaf in which a key lies. */
  #split(key: string): void {
    let hash = hashOf(key)
    let parent: Branch<V> | undefined
    let node = this.#root
    let depth = 0
    for (; !(node instanceof Map); hash >>>= BITS, depth += 1) {
      parent = node
      node = childOf(node, hash)
    }
    if (depth > DEEPEST) return
    const branch = Array.from({ length: CHILDREN }, (): Leaf<V> => new Map())
    for (const [each, value] of node) {
      branch[(hashOf(each) >>> (depth * BITS)) % CHILDREN]?.set(each, value)
    }
    if (parent === undefined) this.#root = branch
    else parent[parent.indexOf(node)] = branch
  }
}

function childOf<V>(branch: Branch<V>, hash: number): Node<V> {
  return branch[hash % CHILDREN] as Node<V>
}

function* valuesOf<V>(node: Node<V>): IterableIterator<V> {
  if (node instanceof Map) yield* node.values()
  else for (const child of node) yield* valuesOf(child)
}

/** FNV-1a, 32 bits (Fowler, Noll, Vo), and a last stir, so that the low bits depend on all. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}
