/** A file of a pool that cannot be loaded. */
throw new Error('database is down')
