/** A web ACL before the gateway: `--context WAF=on`. It is in the stack `Ops`, since emulators refuse the association. */
import type { Stack } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';

/**
 * Rules of AWS that would refuse good requests, and so only count. Bodies are data here: they are parsed by schemas, stored, and
 * neither run nor rendered. They hold what people search for (markup, paths, whatever is typed), webhook addresses (which have a guard
 * of their own, that answers 422), and up to 1 MiB of both.
 */
const counted = {
  AWSManagedRulesCommonRuleSet: [
    ...['SizeRestrictions_BODY', 'EC2MetaDataSSRF_BODY', 'GenericLFI_BODY', 'GenericRFI_BODY'],
    'CrossSiteScripting_BODY',
    // Programs ask, and not all of them say their name.
    'NoUserAgent_HEADER',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
};

/** Requests a minute from one address, where a web ACL is wanted: three users behind it, each with the 2,000 of its own limit. */
const addressRate = 6000;

const tooMany = { key: 'TooManyRequests', detail: 'Too many requests: wait for the next minute' };

/** Metrics, and no samples: those would show keys, and links to pages, which are as good as keys. */
const watched = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** @throws where WAF is neither on nor off. */
const isWanted = (stack: Stack): boolean => {
  const word: string = stack.node.tryGetContext('WAF') || 'off';
  if (word !== 'on' && word !== 'off') throw new Error('WAF must be on or off');
  return word === 'on';
};

export const makeWebAcl = (stack: Stack, api: RestApi): void => {
  if (!isWanted(stack)) return;
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
