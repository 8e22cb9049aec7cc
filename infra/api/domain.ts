/** A domain of the operator's own: `--context DOMAIN_NAME=… --context CERTIFICATE_ARN=…`. DNS alone is left to do by hand. */
import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { EndpointType, type RestApi, type RestApiProps, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Construct } from 'constructs';
import { isCertificateArn, isHostName } from '../forms.ts';

type Domain = { name: string; certificateArn: string };

/**
 * The domain that was given, if any.
 * @throws where one of the two settings is missing or malformed.
 */
export const domainOf = (scope: Construct): Domain | null => {
  const name: string = scope.node.tryGetContext('DOMAIN_NAME') ?? '';
  const certificateArn: string = scope.node.tryGetContext('CERTIFICATE_ARN') ?? '';
  if (!name && !certificateArn) return null;
  if (!name || !certificateArn) {
    throw new Error('DOMAIN_NAME and CERTIFICATE_ARN go together: one of them is not given');
  }
  if (!isHostName(name)) {
    throw new Error('DOMAIN_NAME must be a host name in small letters, like api.example.com');
  }
  if (!isCertificateArn(certificateArn)) {
    throw new Error(
      "CERTIFICATE_ARN must be the ARN of an ACM certificate in the stack's region: arn:aws:acm:<region>:<account>:certificate/<id>",
    );
  }
  return { name, certificateArn };
};

/** What has the gateway answer at the domain, and nowhere else: its own address takes older TLS. */
export const atDomain = (stack: Stack): Pick<RestApiProps, 'domainName' | 'disableExecuteApiEndpoint'> => {
  const domain = domainOf(stack);
  if (!domain) return {};
  return {
    domainName: {
      domainName: domain.name,
      certificate: Certificate.fromCertificateArn(stack, 'Certificate', domain.certificateArn),
      // 1.2 or 1.3.
      securityPolicy: SecurityPolicy.TLS_1_2,
      endpointType: EndpointType.REGIONAL,
    },
    disableExecuteApiEndpoint: true,
  };
};

/** What DNS has to point to: a CNAME of the domain to the target, or an alias in Route 53 with the zone too. */
export const tellDns = (stack: Stack, { domainName }: RestApi): void => {
  if (!domainName) return;
  new CfnOutput(stack, 'DomainTarget', { value: domainName.domainNameAliasDomainName });
  new CfnOutput(stack, 'DomainTargetZone', { value: domainName.domainNameAliasHostedZoneId });
};
