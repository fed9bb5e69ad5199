/** Methods that change nothing (RFC 9110, 9.2.1). */
export function isSafeMethod(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE'
}

/** Methods that may be repeated (RFC 9110, 9.2.2). */
export function isIdempotentMethod(method: string | undefined): boolean {
  return isSafeMethod(method) || method === 'PUT' || method === 'DELETE'
}
