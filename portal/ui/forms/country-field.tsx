import { Field } from './field.tsx';
import { Select } from './select.tsx';

/** ISO 3166-1 alpha-2. */
const CODES =
  'ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSYEYTZAZMZW'.match(
    /../g,
  ) ?? [];
const NAMES = new Intl.DisplayNames('en', { type: 'region' });
const OPTIONS = CODES.map((value) => ({ value, label: NAMES.of(value) ?? value })).toSorted((a, b) => a.label.localeCompare(b.label, 'en'));

type Props = { value: string; onChange: (code: string) => void; error: string | undefined; hint?: string; disabled?: boolean };

/** Selects a country by its name; the value is its code, '' when none is chosen. */
export function CountryField({ value, onChange, error, hint, disabled = false }: Props) {
  return (
    <Field label="Country" hint={hint} error={error}>
      {(ids) => (
        <Select
          {...ids}
          label="Country"
          placeholder="Choose a country"
          disabled={disabled}
          value={value || undefined}
          onChange={onChange}
          options={OPTIONS}
        />
      )}
    </Field>
  );
}
