import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A key and its self-signed certificate, in PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** @param name whom it is for, as openssl says it: `DNS:inventory` or `IP:192.0.2.7`. */
export function certificateFor(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-tls-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ')
    const names = ['-subj', `/CN=${name.slice(name.indexOf(':') + 1)}`, '-addext', `subjectAltName=${name}`]
    execFileSync('openssl', ['req', ...request, '-keyout', key, '-out', cert, ...names], { stdio: 'ignore' })
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
