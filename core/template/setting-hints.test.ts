import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadBundles } from '@partner-portal/catalog/index.ts';
import { settingHint, type SettingForm } from './setting-hints.ts';
import { checkConfig } from './settings.ts';
import type { Template } from './types.ts';

const CASES: [SettingForm, unknown, RegExp | null][] = [
  [{ type: 'phone' }, '+1 312 555 0100', null],
  [{ type: 'phone' }, '(312) 555-0100', null],
  [{ type: 'phone' }, '٠٣١٢٥٥٥٠١٠٠', null],
  [{ type: 'phone' }, '', null],
  [{ type: 'phone' }, '555', /such as \+1 312 555 0100/],
  [{ type: 'phone' }, 'desk12345@example.com', /phone number/],
  [{ type: 'email' }, 'desk@example.com', null],
  [{ type: 'email' }, 'Desk <desk@bücher.example>', null],
  [{ type: 'email' }, 'desk', /such as desk@example\.com/],
  [{ type: 'email' }, 'desk@example', /e-mail address/],
  [{ type: 'url' }, 'example.com/book', null],
  [{ type: 'url' }, 'http://localhost', null],
  [{ type: 'url' }, 'book', /such as https/],
  [{ type: 'url' }, 'our site', /link/],
  [{ type: 'time-range' }, '21:00-08:00', null],
  [{ type: 'time-range' }, '9:00 - 17:30', null],
  [{ type: 'time-range' }, '21:00-', /both times/],
  [{ type: 'number', min: 0, max: 1 }, 0.7, null],
  [{ type: 'number', min: 0, max: 1 }, 2, /between 0 and 1/],
  [{ type: 'number', min: 1, max: null }, 0, /at least 1/],
  [{ type: 'number' }, 1e9, null],
  [{ type: 'numberList', min: 1, max: 336, maxLength: 5 }, [24, 2], null],
  [{ type: 'numberList', min: 1, max: 336, maxLength: 5 }, [24, 400], /between 1 and 336/],
  [{ type: 'numberList', maxLength: 2 }, [1, 2, 3], /at most 2/],
  [{ type: 'numberList' }, 'soon', /such as 24, 2/],
  [{ type: 'list', maxLength: 2 }, ['a', '', 'b', ''], null],
  [{ type: 'text', maxLength: 5 }, 'abcdef', /6 characters long. Enter at most 5/],
  [{ type: 'text', maxLength: 5 }, 'abcde', null],
];

describe('what a form says of a setting as its field is left', () => {
  for (const [setting, value, expected] of CASES)
    it(`${setting.type} ${JSON.stringify(value)} is ${expected === null ? 'left to the service' : 'refused, with an example'}`, () => {
      const hint = settingHint(setting, value);
      if (expected === null) assert.equal(hint, null);
      else assert.match(hint ?? '', expected);
    });

  it('is nothing for the settings of every template and of its sample', () => {
    for (const { template, sample } of loadBundles())
      for (const setting of template.config)
        for (const value of [setting.default, sample.config[setting.key]])
          assert.equal(settingHint(setting, value), null, `${template.name} ${setting.key}`);
  });

  it('is refused by the service as well', () => {
    for (const [setting, value, expected] of CASES.filter(([, , one]) => one !== null)) {
      const template = { config: [{ key: 'one', label: 'One', default: '', help: '', ...setting }], messages: [], inputs: [], steps: [] };
      assert.notDeepEqual(checkConfig(template as unknown as Template, { one: value }), [], `${JSON.stringify(value)} ${expected}`); // only its settings are read
    }
  });
});
