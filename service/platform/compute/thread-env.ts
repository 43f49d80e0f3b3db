/** The environment of a thread: of the process's own only the folder in which Node keeps compiled code, which halves the time that a thread takes to start. */
export function threadEnv(): { NODE_COMPILE_CACHE?: string } {
  const { NODE_COMPILE_CACHE } = process.env; // oxlint-disable-line node/no-process-env -- Node reads it, not the service
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
}
