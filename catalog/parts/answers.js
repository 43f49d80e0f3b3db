// The three answers a code step can give. The flow reads `go` to decide whether the next step runs;
// a stop is a good end with a reason, a fault is a failure said in plain words.

export const go = (out) => ({ go: true, out });

export const stop = (reason, message, out = {}) => ({ go: false, reason, message, out });

export const fault = (code, message) => ({ go: false, fault: { code, message }, out: {} });
