// Names of resources, for tests that import the stores without a stack. Tests with emulators overwrite them.
for (const name of [
  'USERS_TABLE',
  'TASKS_TABLE',
  'LIMITS_TABLE',
  'SNAPSHOTS_TABLE',
  'PACE_TABLE',
  'METRICS_TABLE',
  'TRACKING_TABLE',
  'BUCKET',
  'CRAWL_QUEUE_URL',
  'KEYWORD_QUEUE_URL',
  'POSTBACK_QUEUE_URL',
  'PATIENT_QUEUE_URL',
  'PARKED_QUEUE_URL',
  'CRAWL_MACHINE_ARN',
  'POSTBACK_MACHINE_ARN',
  'PROXY_URL_SECRET',
  'PROXY_CA_SECRET',
  'TOKEN_KEY_SECRET',
  'GOOGLE_ADS_CREDENTIALS_SECRET',
  'UPSTREAM_CREDENTIALS_SECRET',
  'FETCHERS_PARAMETER',
]) {
  process.env[name] ??= name.toLowerCase().replaceAll('_', '-');
}
process.env.STAGE ??= 'local';
process.env.AWS_REGION ??= 'us-east-1';
process.env.AWS_ACCESS_KEY_ID ??= 'test';
process.env.AWS_SECRET_ACCESS_KEY ??= 'test';
