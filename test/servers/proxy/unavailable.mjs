/**
 * The error of a machine on which no such proxy can be had: why, and each way out.
 * @param {import('./kind.mjs').Kind} kind
 * @param {string} reason a sentence, or several lines
 * @param {unknown} [cause]
 */
export const unavailable = ({ name, variable }, reason, cause) =>
  new Error(
    `${reason}

No ${name} for the tests. Install it, on Debian and Ubuntu by
  apt-get install -y ${name}
or let this user talk to a Docker engine, or name a program of yours: ${variable}=/path/to/${name}`,
    { cause },
  )
