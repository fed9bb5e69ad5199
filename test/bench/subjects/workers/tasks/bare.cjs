'use strict'

/** It knows the user from the task alone. @param {import('../submit.cjs').Task} task */
module.exports = ({ user }) => user
