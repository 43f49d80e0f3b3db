/**
 * Currencies of ISO 4217 and the decimals of their minor units. The table is fixed: Intl takes the decimals from CLDR, which shows several
 * currencies (HUF, IDR, COP …) without the decimals that amounts are stored with. Source: ISO 4217 List One; funds codes, metals and test
 * codes are left out.
 */
const BY_DECIMALS: { readonly [decimals: number]: string } = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP
    DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD
    LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD
    SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW
    ZWG`,
  3: 'BHD IQD JOD KWD LYD OMR TND',
};

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries(BY_DECIMALS).flatMap(([decimals, codes]) => codes.split(/\s+/).map((code): [string, number] => [code, Number(decimals)])),
);

/** Whether a code is a currency of ISO 4217 in which prices can be stated. */
export function isCurrency(code: string): boolean {
  return DECIMALS.has(code);
}

/** Returns the decimals of a currency's minor unit: 2 for EUR, 0 for JPY, 3 for KWD. A code that is no currency has 2. */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2;
}

/** Returns an amount in whole units: 29 for 2900 USD. */
export function majorOf(amountMinor: number, currency: string): number {
  return amountMinor / 10 ** decimalsOf(currency);
}
