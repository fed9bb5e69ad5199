/** What to type on Debian and Ubuntu; elsewhere the same two have other names. */
const INSTALL = 'apt-get install -y maven openjdk-17-jre-headless'

/**
 * The error of a machine on which no broker can be had: why, and each way out.
 * @param {string} reason a sentence, or several lines
 * @param {unknown} [cause]
 */
export const unavailable = (reason, cause) =>
  new Error(
    `${reason}

No Kafka for the tests. They need Maven and a JDK 17 or newer:
  ${INSTALL}
or a Docker engine that this user may talk to, or a broker of yours: KAFKA_BROKERS=host:port`,
    { cause },
  )
