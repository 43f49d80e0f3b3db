// Reads the JSON object out of a language model's answer, also when it is wrapped in prose or a code fence.
// Answers null when there is none: a model's answer is input like any other.
export const readAnswer = (text) => {
  const found = String(text ?? '');
  const start = found.indexOf('{');
  const end = found.lastIndexOf('}');
  if (start < 0 || end <= start) return null;
  try {
    const value = JSON.parse(found.slice(start, end + 1));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};
