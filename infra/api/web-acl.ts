/**
 * A web ACL in front of the gateway: `--context WAF=on`. It is in the stack `Ops`, because emulators refuse
 * the association.
 */
import type { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { contextSetting } from '../context.ts';

/**
 * AWS's rules that would block valid requests, and therefore only count. Request bodies are data: schemas
 * parse them, and the service stores them but never runs or renders them. A body contains up to 1 MiB of
 * search queries (with markup, paths or any other text) and of webhook addresses (which the address guard
 * checks, with 422 as its answer).
 */
const counted = {
  AWSManagedRulesCommonRuleSet: [
    ...['SizeRestrictions_BODY', 'EC2MetaDataSSRF_BODY', 'GenericLFI_BODY', 'GenericRFI_BODY'],
    'CrossSiteScripting_BODY',
    // The clients are programs, and some send no User-Agent.
    'NoUserAgent_HEADER',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
};

/** Requests per minute from one IP address: enough for three users behind it, each at the limit of 2,000. */
const addressRate = 6000;

const tooMany = { key: 'TooManyRequests', detail: 'Too many requests: wait for the next minute' };

/** Metrics without samples: a sample would show API keys, and links to pages, which work without a key. */
const watched = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** Adds the web ACL if WAF is `on`. @throws if WAF is neither `on` nor `off`. */
export const makeWebAcl = (stack: Stack, api: RestApi): void => {
  if (contextSetting(stack, 'WAF') === 'off') return;
  const acl = new CfnWebACL(stack, 'WebAcl', {
    description: 'What may reach the gateway of the search ranking service',
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: watched('WebAcl'),
    customResponseBodies: {
      [tooMany.key]: {
        contentType: 'APPLICATION_JSON',
        content: JSON.stringify({ detail: tooMany.detail }),
      },
    },
    rules: [
      {
        name: 'AddressRate',
        priority: 0,
        statement: {
          rateBasedStatement: { aggregateKeyType: 'IP', limit: addressRate, evaluationWindowSec: 60 },
        },
        action: {
          block: {
            customResponse: {
              responseCode: 429,
              customResponseBodyKey: tooMany.key,
              responseHeaders: [{ name: 'Retry-After', value: '60' }],
            },
          },
        },
        visibilityConfig: watched('AddressRate'),
      },
      ...Object.entries(counted).map(([name, rules], index) => ({
        name,
        priority: index + 1,
        statement: {
          managedRuleGroupStatement: {
            vendorName: 'AWS',
            name,
            ruleActionOverrides: rules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
          },
        },
        overrideAction: { none: {} },
        visibilityConfig: watched(name),
      })),
    ],
  });
  new CfnWebACLAssociation(stack, 'WebAclAssociation', {
    webAclArn: acl.attrArn,
    resourceArn: api.deploymentStage.stageArn,
  });
};
