/** The app of a later release: the definition of every machine is changed. */
import { Aspects } from 'aws-cdk-lib';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import * as v from 'valibot';
import { makeApp } from '../../infra/synthesize.ts';

const Join = v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) });

const { app, stack } = makeApp();

Aspects.of(stack).add({
  visit: (node) => {
    if (!(node instanceof CfnStateMachine)) return;
    const [separator, parts] = v.parse(Join, stack.resolve(node.definitionString))['Fn::Join'];
    const [head, ...rest] = parts;
    const changed = [String(head).replace('{', '{"Comment":"A later release",'), ...rest];
    node.addPropertyOverride('DefinitionString', { 'Fn::Join': [separator, changed] });
  },
});

app.synth();
