import { freePorts } from './free-ports.mjs'

/** How often other ports are tried when somebody took one before the server did. */
const ATTEMPTS = 3
const PORT_TAKEN = /Address already in use|port is already allocated/

/**
 * Starts a server on ports that were free a moment ago.
 * @template Started
 * @param {number} count of ports
 * @param {(...ports: number[]) => Promise<Started>} start
 * @returns {Promise<Started>}
 * @throws what `start` throws.
 */
export const onFreePorts = async (count, start) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(...(await freePorts(count)))
    } catch (error) {
      if (attempt === ATTEMPTS || !PORT_TAKEN.test(String(error))) throw error
    }
  }
}
