/**
 * @typedef {object} Kind of reverse proxy
 * @property {string} name of the program, and of its package
 * @property {string} variable of the environment that may name the program
 * @property {string} image for Docker
 * @property {(config: string) => readonly string[]} args by which it runs in the foreground
 *
 * @typedef {object} Place what a configuration is written for
 * @property {string} folder of its own
 * @property {number} port of 127.0.0.1 to listen on
 * @property {string} path on which it answers by itself
 * @property {string} token that it answers there
 *
 * @typedef {(place: Place) => string} Configuration
 */

export {}
