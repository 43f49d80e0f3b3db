import { createContext, useContext } from 'react';
import { numberFormat } from '../text/intl.ts';

export type ChartLanguage = {
  /** The BCP 47 tag of numbers. */
  tag: string;
  asTable: string;
  asChart: string;
};

/** English unless a face in the reader's language provides another. */
export const ChartLanguageContext = createContext<ChartLanguage>({ tag: 'en-US', asTable: 'Show as table', asChart: 'Show as chart' });

export type ChartFormat = { long: (value: number) => string; short: (value: number) => string };

/** Returns the words of charts and how they write numbers. */
export function useChartLanguage(): ChartLanguage & ChartFormat {
  const language = useContext(ChartLanguageContext);
  return {
    ...language,
    long: numberFormat(language.tag, { maximumFractionDigits: 1 }).format,
    short: numberFormat(language.tag, { notation: 'compact', maximumFractionDigits: 1 }).format,
  };
}
