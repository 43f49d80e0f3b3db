// What the language model reads of the enquiry: words alone, and few enough that no long or crafted message fills its window.
export const code = async (inputs) => {
  const input = inputs.input || {};
  const lines = ['Name: ' + clip(input.leadName, 200), 'Budget: ' + clip(input.budget, 200), 'Message: ' + excerpt(input.message)];
  return go({ prompt: lines.join('\n') });
};
