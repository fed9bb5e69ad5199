process.on('message', (message: unknown) => process.send?.(message))
