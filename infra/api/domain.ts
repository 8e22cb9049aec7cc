/**
 * The operator's own domain: `--context DOMAIN_NAME=… --context CERTIFICATE_ARN=…`. The operator changes only
 * DNS by hand.
 */
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { EndpointType, type RestApi, type RestApiProps, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import { contextSetting } from '../context.ts';

type Domain = { name: string; certificateArn: string };

/**
 * The domain, or null if none is given.
 * @throws if one of the two settings is missing or malformed.
 */
export const domainOf = (scope: Construct): Domain | null => {
  const name = contextSetting(scope, 'DOMAIN_NAME');
  const certificateArn = contextSetting(scope, 'CERTIFICATE_ARN');
  if (!name && !certificateArn) return null;
  if (!name || !certificateArn) {
    throw new Error('DOMAIN_NAME and CERTIFICATE_ARN go together: one of them is not given');
  }
  return { name, certificateArn };
};

/**
 * The gateway's properties that make it answer at the domain only. Its own address is disabled, because it
 * accepts older TLS.
 */
export const atDomain = (stack: Stack): Pick<RestApiProps, 'domainName' | 'disableExecuteApiEndpoint'> => {
  const domain = domainOf(stack);
  if (!domain) return {};
  return {
    domainName: {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(stack, 'Certificate', domain.certificateArn),
      // TLS 1.2 or 1.3.
      securityPolicy: SecurityPolicy.TLS_1_2,
      endpointType: EndpointType.REGIONAL,
    },
    disableExecuteApiEndpoint: true,
  };
};

/**
 * Outputs the target of the DNS record: a CNAME needs the target, an alias in Route 53 needs the zone too.
 */
export const tellDns = (stack: Stack, { domainName }: RestApi): void => {
  if (!domainName) return;
  new CfnOutput(stack, 'DomainTarget', { value: domainName.domainNameAliasDomainName });
  new CfnOutput(stack, 'DomainTargetZone', { value: domainName.domainNameAliasHostedZoneId });
};
