/** @param {'send' | 'consume'} work */
const subject =
  (work, more = {}) =>
  (/** @type {string} */ wiring) => ({ subject: `kafka/${work}.cjs`, options: { wiring, ...more } })

const common = /** @type {const} */ ({
  drive: 'self',
  fine: true,
  sliceUnits: 4000,
  warmUpUnits: 100_000,
})

/**
 * @param {'encoder' | 'broker'} to
 * @param {string} words
 */
const sent = (to, words) => {
  const send = subject('send', { to })
  return {
    ...common,
    name: `send 1,000 messages, ${words}`,
    base: 'no header',
    variants: {
      'no header': send('bare'),
      'hand-written': send('hand-written'),
      kit: send('kit'),
      'kit, topic not trusted': send('kit-untrusted-topic'),
      OpenTelemetry: send('opentelemetry'),
    },
  }
}

/** @param {'one send' | 'many sends'} sentBy */
const consumed = (sentBy) => {
  const consume = subject('consume', { sentBy })
  return {
    ...common,
    name: `consume 1,000 messages of ${sentBy}`,
    base: 'header unread',
    variants: {
      'header unread': consume('bare'),
      'hand-written': consume('hand-written'),
      kit: consume('kit'),
      OpenTelemetry: consume('opentelemetry'),
    },
  }
}

/** @type {import('../paired-run.mjs').Suite} */
export const suite = {
  name: 'kafka',
  title: 'kafkajs without a broker: CPU for one message among 1,000 that are sent or consumed together',
  cells: [
    sent('encoder', 'encoding alone'),
    sent('broker', 'the whole producer'),
    consumed('one send'),
    consumed('many sends'),
  ],
}
