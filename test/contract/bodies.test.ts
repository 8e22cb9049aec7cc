/** Accepted request bodies, and the faults of other bodies (Readings 27 to 29, 36). */

import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callArea } from '../api-call.ts';
import { batchPath, crawl, detailOf, onePath, type Service, startService } from './service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const tooDeep = [{ loc: ['body'], type: 'value_error', msg: 'Value error, nested deeper than 64 levels' }];

describe('the body', () => {
  const missing = [{ loc: ['body'], type: 'missing', msg: 'Field required' }];
  const noObject = [
    {
      loc: ['body'],
      type: 'model_attributes_type',
      msg: 'Input should be a valid dictionary or object to extract fields from',
    },
  ];
  const noList = [{ loc: ['body'], type: 'list_type', msg: 'Input should be a valid list' }];
  const good = JSON.stringify(crawl);
  const json = 'application/json';

  test.each<[string, string, string | Uint8Array, number, unknown]>([
    ['an empty body', json, '', 422, missing],
    ['null', json, 'null', 422, missing],
    ['white space', json, ' \n', 400, 'The body is not valid JSON'],
    ['an array', json, '[]', 422, noObject],
    ['a number', json, '1', 422, noObject],
    ['true', json, 'true', 422, noObject],
    ['NaN', json, '{"depth":NaN}', 400, 'The body is not valid JSON'],
    ['-Infinity', json, '{"depth":-Infinity}', 400, 'The body is not valid JSON'],
    ['an extra comma', json, `${good.slice(0, -1)},}`, 400, 'The body is not valid JSON'],
    ['single quotes', json, "{'keyword':'k'}", 400, 'The body is not valid JSON'],
    ['invalid UTF-8', json, Buffer.from([0x22, 0xff, 0x22]), 400, 'The body is not valid JSON'],
    ['JSON with another JSON type', 'application/vnd.api+json; charset=utf-8', good, 200, undefined],
    ['the JSON type in capitals', 'APPLICATION/JSON', good, 200, undefined],
    ['XML', 'application/xml', good, 422, noObject],
    ['multipart', 'multipart/form-data', good, 422, noObject],
    ['JSON as text/json', 'text/json', good, 422, noObject],
    ['an empty content type', '', good, 200, undefined],
    ['a duplicate name', json, `{"keyword":1,${good.slice(1)}`, 200, undefined],
    ['names of inherited properties', json, `{"constructor":1,"toString":2,${good.slice(1)}`, 200, undefined],
    ['64 levels', json, `{"foo":${nested(63)},${good.slice(1)}`, 200, undefined],
    ['65 levels', json, `{"foo":${nested(64)},${good.slice(1)}`, 422, tooDeep],
    ['100,000 levels', json, `{"foo":${nested(100_000)},${good.slice(1)}`, 422, tooDeep],
    ['100,000 open brackets', json, '{"a":'.repeat(100_000), 422, tooDeep],
    ['brackets in texts', json, `{"foo":"\\"${'[{'.repeat(100)}\\\\",${good.slice(1)}`, 200, undefined],
  ])('%s (%s)', async (_, type, body, status, detail) => {
    const answer = await service.call({ body, headers: { 'Content-Type': type } });

    expect([answer.status, detailOf(answer)]).toEqual([status, detail]);
  });

  test.each<[string, string, Uint8Array | string, number, string | undefined]>([
    ['gzip', onePath, gzipSync(good), 400, 'The body is compressed: send it without Content-Encoding'],
    ['br', batchPath, 'x', 400, 'The body is compressed: send it without Content-Encoding'],
    ['gzip', '/token', 'x', 400, 'The body is compressed: send it without Content-Encoding'],
    ['identity', onePath, good, 200, undefined],
    ['', onePath, good, 200, undefined],
  ])('Content-Encoding "%s" (%s)', async (coding, path, body, status, detail) => {
    const answer = await service.call({ path, body, headers: { 'Content-Encoding': coding } });

    expect([answer.status, detailOf(answer)]).toEqual([status, detail]);
  });

  test('Content-Encoding without a body', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const answer = await service.call({ path: '/api/v1/users/me', method: 'GET', body: '', headers });
    const posted = await service.call({ body: '', headers });

    expect([answer.status, detailOf(posted)]).toEqual([200, missing]);
  });

  test.each<[string, string, string, number, unknown]>([
    ['an object', json, '{}', 422, noList],
    ['null', json, 'null', 422, missing],
    ['text', 'text/plain', `[${good}]`, 422, noList],
    ['an empty list', json, '[]', 400, 'The batch is empty'],
    ['a list of null', json, '[null]', 422, [{ ...noObject[0], loc: ['body', 0] }]],
    [
      'a list that is too long',
      json,
      `[${`${good},`.repeat(1000)}${good}]`,
      422,
      [
        {
          loc: ['body'],
          type: 'too_long',
          msg: 'List should have at most 1000 items after validation, not 1001',
        },
      ],
    ],
  ])('batch: %s (%s)', async (_, type, body, status, detail) => {
    const answer = await service.call({ path: batchPath, body, headers: { 'Content-Type': type } });

    expect([answer.status, detailOf(answer)]).toEqual([status, detail]);
  });

  test('without a content type is JSON', async () => {
    const request = {
      method: 'POST',
      path: onePath,
      headers: { Authorization: `Bearer ${service.apiKey}` },
      body: good,
    };

    expect((await callArea(service.serp, request)).status).toBe(200);
  });

  test('writes and queues nothing if it is refused', async () => {
    service.queue.resetHistory();
    await service.call({ path: batchPath, body: JSON.stringify([crawl, { ...crawl, depth: 0 }]) });

    expect(service.queue.commandCalls(SendMessageBatchCommand)).toHaveLength(0);
  });

  test.each([
    ['of the largest number of tasks and pages', 44, 0, 200],
    ['whose answer has many quotes, which Lambda counts twice', 120, 400, 413],
  ])('a batch %s: status %#', async (_, keyword, quotes, status) => {
    service.queue.resetHistory();
    const task = { ...crawl, keyword: 'k'.repeat(keyword), business_name: '"'.repeat(quotes), depth: 100 };
    const answer = await service.call({ path: batchPath, body: JSON.stringify(Array(1000).fill(task)) });

    expect(answer.status).toBe(status);
    expect(Buffer.byteLength(JSON.stringify(answer.body))).toBeLessThan(5_000_000);
    if (status === 200) return;
    expect(detailOf(answer)).toBe('The answer to this batch would pass 5 MB: send fewer tasks at once');
    expect(service.queue.commandCalls(SendMessageBatchCommand)).toHaveLength(0);
  });

  test('gets an answer that fits through the gateway even with a hundred thousand faults', async () => {
    const item = { ...crawl, competitors: Array(1000).fill(1) };
    const answer = await service.call({ path: batchPath, body: JSON.stringify(Array(200).fill(item)) });

    expect(answer.status).toBe(422);
    expect(answer.body.length).toBeLessThan(5_000_000);
  });
});

describe('a depth beyond 2^53', () => {
  const tooSmall = ['greater_than_equal', 'Input should be greater than or equal to 1'];
  const tooLarge = ['less_than_equal', 'Input should be less than or equal to 100'];
  const noInteger = ['int_parsing_size', 'Unable to parse input string as an integer, exceeded maximum size'];

  test.each<[string, string[]]>([
    ['9007199254740993', tooLarge],
    ['-9007199254740993', tooSmall],
    ['9223372036854775807', tooLarge],
    ['9223372036854775808', tooLarge],
    ['-100000000000000000000000000', tooSmall],
    ['"9223372036854775808"', tooLarge],
    ['9223372036854775808.0', noInteger],
    ['1e19', noInteger],
    ['-1e19', noInteger],
  ])('%s', async (depth, [type, msg]) => {
    const answer = await service.call({ body: `${JSON.stringify(crawl).slice(0, -1)},"depth":${depth}}` });

    expect([answer.status, detailOf(answer)]).toEqual([422, [{ loc: ['body', 'depth'], type, msg }]]);
  });
});

test('half a surrogate pair is string_unicode in every field', async () => {
  const fields = ['keyword', 'location_name', 'iso_code', 'device', 'se_id', 'frequency', 'depth'];
  const body = JSON.stringify({ ...crawl, ...Object.fromEntries(fields.map((name) => [name, '1\ud800'])) });
  const faults: { loc: string[]; type: string }[] = detailOf(await service.call({ body }));

  expect(faults.map(({ type }) => type)).toEqual(fields.map(() => 'string_unicode'));
  expect(faults.map(({ loc }) => loc[1])).toEqual(expect.arrayContaining(fields));
});

describe('a value that cannot be true', () => {
  const competitor = (name: string, type = 'domain') => ({ keyword_id: null, competitor: name, type });

  test.each<[Record<string, unknown>, (string | number)[], string]>([
    [{ domain: 'example' }, ['domain'], 'not a host name under a public suffix'],
    [{ domain: 'example.con' }, ['domain'], 'not a host name under a public suffix'],
    [{ domain: ' ' }, ['domain'], 'not a host name under a public suffix'],
    [
      { competitors: [competitor('a.com'), competitor('co.uk')] },
      ['competitors', 1, 'competitor'],
      'not a host name under a public suffix',
    ],
    [
      { competitors: [competitor('')] },
      ['competitors', 0, 'competitor'],
      'not a host name under a public suffix',
    ],
    [{ iso_code: 'XX' }, ['iso_code'], 'not the code of a country'],
    [{ iso_code: 'eu' }, ['iso_code'], 'not the code of a country'],
    [{ language_code: 'xx' }, ['language_code'], 'not a language of Google'],
    [{ language_code: 'en-XX' }, ['language_code'], 'not a language of Google'],
  ])('%j is value_error', async (fields, loc, msg) => {
    const answer = await service.call({ body: JSON.stringify({ ...crawl, ...fields }) });

    expect([answer.status, detailOf(answer)]).toEqual([
      422,
      [{ loc: ['body', ...loc], type: 'value_error', msg: `Value error, ${msg}` }],
    ]);
  });

  test('is reported with all others, for each item of a batch', async () => {
    const wrong = {
      ...crawl,
      iso_code: 'xx',
      language_code: 'xx',
      domain: 'xx',
      competitors: [competitor('xx')],
    };
    const answer = await service.call({ path: batchPath, body: JSON.stringify([crawl, wrong]) });

    expect(detailOf(answer).map(({ loc, type }: { loc: unknown[]; type: string }) => [...loc, type])).toEqual(
      [
        ['body', 1, 'iso_code', 'value_error'],
        ['body', 1, 'domain', 'value_error'],
        ['body', 1, 'competitors', 0, 'competitor', 'value_error'],
        ['body', 1, 'language_code', 'value_error'],
      ],
    );
  });

  test.each<Record<string, unknown>>([
    { domain: '' },
    { domain: null },
    { domain: 'https://www.Example.com:443/shop' },
    { domain: 'acme.example', competitors: [competitor('https://www.example.com/')] },
    { competitors: [competitor('any text', 'brand'), competitor('', '')] },
    { iso_code: 'uk' },
    { language_code: '' },
    { language_code: 'zh-CN' },
    { language_code: 'PT-br' },
    { language_code: 'iw' },
    { language_code: 'no' },
  ])('%j is accepted, and echoed as given', async (fields) => {
    const answer = await service.call({ body: JSON.stringify({ ...crawl, ...fields }) });

    expect([answer.status, JSON.parse(answer.body)]).toEqual([200, expect.objectContaining(fields)]);
  });
});

describe('postback_url', () => {
  const fault = (type: string) => expect.objectContaining({ loc: ['body', 'postback_url'], type });

  test.each([
    ['nonsense', 'url_parsing'],
    [' ', 'url_parsing'],
    ['//example.com/hook', 'url_parsing'],
    ['https://', 'url_parsing'],
    ['http://93.184.216.34/hook', 'url_scheme'],
    ['ftp://93.184.216.34/hook', 'url_scheme'],
    ['javascript:alert(1)', 'url_scheme'],
    ['https://10.0.0.1/hook', 'value_error'],
    ['https://169.254.169.254/latest/meta-data', 'value_error'],
    ['https://[fd00::1]/hook', 'value_error'],
    ['https://0x0a000001/hook', 'value_error'],
  ])('%s is refused as %s', async (postback_url, type) => {
    const answer = await service.call({ body: JSON.stringify({ ...crawl, postback_url }) });

    expect([answer.status, detailOf(answer)]).toEqual([422, [fault(type)]]);
  });

  test.each(['https://93.184.216.34/hook?a=b', 'http://127.0.0.1:9/hook', null])(
    '%s is accepted in the stage local',
    async (postback_url) => {
      expect((await service.call({ body: JSON.stringify({ ...crawl, postback_url }) })).status).toBe(200);
    },
  );

  test('is none if it is empty, and is echoed as given', async () => {
    const answer = await service.call({ body: JSON.stringify({ ...crawl, postback_url: '' }) });

    expect([answer.status, JSON.parse(answer.body).postback_url]).toEqual([200, '']);
  });

  test('is checked together with all other fields, for each item', async () => {
    const items = [crawl, { postback_url: 'https://10.0.0.1/' }, 3, { ...crawl, postback_url: 'x' }];
    const answer = await service.call({ path: batchPath, body: JSON.stringify(items) });

    expect(detailOf(answer).map(({ loc, type }: { loc: unknown[]; type: string }) => [...loc, type])).toEqual(
      [
        ['body', 1, 'keyword', 'missing'],
        ['body', 1, 'location_name', 'missing'],
        ['body', 1, 'iso_code', 'missing'],
        ['body', 2, 'model_attributes_type'],
        ['body', 1, 'postback_url', 'value_error'],
        ['body', 3, 'postback_url', 'url_parsing'],
      ],
    );
  });
});
