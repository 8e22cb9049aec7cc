/** The operator's own domain for the gateway, and its settings. */
import { expect, test } from 'vitest';
import { resourcesOf, templateOf } from './template.ts';

const certificate = 'arn:aws:acm:eu-west-1:123456789012:certificate/7e7a28d2-163f-4b8f-b9cd-822f96c08d6a';
const domain = { DOMAIN_NAME: 'api.example.com', CERTIFICATE_ARN: certificate };
const withContext = (context: Record<string, string>) => templateOf('prod', context);

/** The values of PUBLIC_URL, from which functions make links. */
const publicUrls = (context: Record<string, string>) =>
  resourcesOf(withContext(context), 'AWS::Lambda::Function').flatMap(({ properties }) => {
    const { Variables } = properties.Environment as { Variables: Record<string, unknown> };
    return 'PUBLIC_URL' in Variables ? [Variables.PUBLIC_URL] : [];
  });

test('with a domain, the gateway answers only there, with TLS 1.2 or newer', () => {
  const template = withContext(domain);

  expect(resourcesOf(template, 'AWS::ApiGateway::DomainName').map(({ properties }) => properties)).toEqual([
    {
      DomainName: 'api.example.com',
      RegionalCertificateArn: certificate,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
    },
  ]);
  const [mapping] = resourcesOf(template, 'AWS::ApiGateway::BasePathMapping');
  const [stage] = resourcesOf(template, 'AWS::ApiGateway::Stage');
  expect(mapping?.properties).toMatchObject({ Stage: { Ref: stage?.id } });
  expect(mapping?.properties).not.toHaveProperty('BasePath');
  expect(resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]?.properties).toMatchObject({
    DisableExecuteApiEndpoint: true,
  });
});

test('the outputs contain the address and the target of the DNS record', () => {
  const { Outputs } = withContext(domain);

  expect(Outputs.ApiUrl?.Value).toBe('https://api.example.com/');
  expect(JSON.stringify(Outputs.DomainTarget)).toContain('RegionalDomainName');
  expect(JSON.stringify(Outputs.DomainTargetZone)).toContain('RegionalHostedZoneId');
});

test('links lead to the domain unless PUBLIC_URL is set', () => {
  expect(new Set(publicUrls(domain))).toEqual(new Set(['https://api.example.com']));
  expect(new Set(publicUrls({ ...domain, PUBLIC_URL: 'https://cdn.example.com/ranks' }))).toEqual(
    new Set(['https://cdn.example.com/ranks']),
  );
});

test('functions on a schedule know the address of the gateway without a domain', () => {
  const scheduled = publicUrls({}).filter((url) => url !== '');

  expect(scheduled).toHaveLength(3);
  for (const url of scheduled) expect(JSON.stringify(url)).toContain('.execute-api.');
});

test('without a domain, the gateway answers at its own address', () => {
  const template = templateOf('prod');

  expect(resourcesOf(template, 'AWS::ApiGateway::DomainName')).toEqual([]);
  expect(resourcesOf(template, 'AWS::ApiGateway::RestApi')[0]?.properties).not.toHaveProperty(
    'DisableExecuteApiEndpoint',
  );
});

test.each([
  [{ DOMAIN_NAME: 'api.example.com' }, 'DOMAIN_NAME and CERTIFICATE_ARN go together'],
  [{ CERTIFICATE_ARN: certificate }, 'DOMAIN_NAME and CERTIFICATE_ARN go together'],
  [{ ...domain, DOMAIN_NAME: 'https://api.example.com' }, 'DOMAIN_NAME must be a host name'],
  [{ ...domain, DOMAIN_NAME: 'API.example.com' }, 'DOMAIN_NAME must be a host name'],
  [{ ...domain, DOMAIN_NAME: 'api.example.com/v1' }, 'DOMAIN_NAME must be a host name'],
  [{ ...domain, DOMAIN_NAME: 'localhost' }, 'DOMAIN_NAME must be a host name'],
  [{ ...domain, DOMAIN_NAME: `${'a'.repeat(64)}.example.com` }, 'DOMAIN_NAME must be a host name'],
  [
    { ...domain, CERTIFICATE_ARN: 'arn:aws:iam::123456789012:server-certificate/x' },
    'CERTIFICATE_ARN must be',
  ],
  [{ ...domain, CERTIFICATE_ARN: '7e7a28d2' }, 'CERTIFICATE_ARN must be'],
  [{ PUBLIC_URL: 'http://api.example.com' }, 'PUBLIC_URL must be a URL that begins with https://'],
  [{ PUBLIC_URL: 'api.example.com' }, 'PUBLIC_URL must be a URL that begins with https://'],
  [{ PUBLIC_URL: 'https://user:word@api.example.com' }, 'PUBLIC_URL must be a URL that begins with https://'],
  [{ PUBLIC_URL: 'https://api.example.com/?a=1' }, 'PUBLIC_URL must be a URL that begins with https://'],
])('%j is refused', (context, message) => {
  expect(() => withContext(context)).toThrow(message);
});

test('an origin that is not an address is refused', () => {
  const context = { GOOGLE_ORIGIN: 'mirror.example.com' };

  expect(() => templateOf('localstack', context)).toThrow('GOOGLE_ORIGIN must be a URL');
});
