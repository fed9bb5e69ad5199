'use strict'
const { context, propagation, ROOT_CONTEXT } = require('@opentelemetry/api')
const { propagate } = require('../../opentelemetry/propagation.cjs')

propagate()

/** @param {{ carrier: Readonly<Record<string, string>> }} envelope */
module.exports = ({ carrier }) =>
  context.with(
    propagation.extract(ROOT_CONTEXT, carrier),
    () => propagation.getActiveBaggage()?.getEntry('shard-key')?.value,
  )
