import {expect, test} from 'vitest';
import {rawLines} from '../../../../source/console/screens/instances/pane.tsx';

test('what a service sent is shown as JSON, without the secrets in it', () => {
	const text = rawLines({
		id: 7,
		label: 'a\u001B[2Jb',
		template_hash_id: '4f8d2c1e9a7b4f8d2c1e9a7b4f8d2c1e',
		jupyter_token: 'hush',
		onstart: 'export HF_TOKEN=hush; python train.py',
		extra_env: [
			['HF_TOKEN', 'hush'],
			['DATA_DIRECTORY', '/workspace'],
		],
	}).join('\n');
	expect(text).not.toContain('hush');
	expect(JSON.parse(text)).toMatchObject({
		id: 7,
		template_hash_id: '4f8d2c1e9a7b4f8d2c1e9a7b4f8d2c1e',
		jupyter_token: '***',
		onstart: 'export HF_TOKEN=***; python train.py',
		extra_env: [
			['HF_TOKEN', '***'],
			['DATA_DIRECTORY', '/workspace'],
		],
	});
});
