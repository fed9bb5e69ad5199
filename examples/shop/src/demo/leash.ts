/** Loaded before every service of the demo (`node --import`): ends it when the demo is gone, in whatever way. */
process.once('disconnect', () => {
  process.exit(0)
})
process.channel?.unref()
