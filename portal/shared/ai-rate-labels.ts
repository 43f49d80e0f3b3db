/** The name of a model, or what stands for all that have no rate of their own. */
export const modelName = (model: string): string => (model === '*' ? 'Other models' : model);

const AMOUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

/** "0.2", "1.5": credits for 1,000 tokens. */
export const rateOf = (credits: number): string => AMOUNT.format(credits);
