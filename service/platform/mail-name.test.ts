import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import addressParser from 'nodemailer/lib/addressparser';
import { readMail } from '@partner-portal/tests/harness/smtp.ts';
import { mailName } from './mail-name.ts';

const ADDRESS = 'desk@oak.example';
/** A phrase of RFC 5322: atoms, spaces, dots and quoted strings, in ASCII. */
const PHRASE = /^(?:[\w!#$%&'*+\-/=?^`{|}~ .]|"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])*")*$/;

const NAMES = [
  'Oak Street',
  'Bergmann, Söhne @ Wein; (Praxis)',
  'Acme "Best" Agency',
  'Dr. Lee <Dental>',
  'back\\slash',
  'Łódź: 李小龙',
  '😀'.repeat(40),
  '=?UTF-8?Q?Bank_=3Cservice=40bank.example=3E?=',
  'x =?utf-8?b?QmFuaw==?= y',
  '=? ?=',
];

describe('a name in the header of a mail', () => {
  for (const name of NAMES)
    it(`reads as it was typed, and as one mailbox: ${name}`, async () => {
      const header = `${mailName(name)} <${ADDRESS}>`;
      assert.match(mailName(name), PHRASE);
      const { from } = await readMail(`From: ${header}\r\n\r\n`);
      assert.deepEqual([from?.name, from?.address], [name, ADDRESS]);
      assert.deepEqual(
        addressParser(header).map((one) => one.address),
        [ADDRESS],
      );
    });

  it('is one line, even if more was stored', () => {
    assert.equal(mailName('Oak\r\nBcc: all@oak.example'), '"Oak Bcc: all@oak.example"');
    assert.equal(mailName(' \n '), '');
  });
});
