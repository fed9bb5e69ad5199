/**
 * Tells who has started this process of what the bundler has warned.
 * @param {string[]} warnings
 */
export const told = (warnings) => {
  process.stdout.write(JSON.stringify(warnings))
}
