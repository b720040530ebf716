import {expect, test} from 'vitest';
import {orderHash} from '../../../source/market/hosts/take-work.ts';
import type {InstanceSettings} from '../../../source/market/lifecycle/instance-rules.ts';
import {testSettings} from '../../helpers/market/instances.ts';

const hashOf = (given: Partial<InstanceSettings>, image = 'ubuntu') =>
	orderHash(image, {...testSettings, ...given});

test('orders are alike where nothing but their own words differs', () => {
	const plain = hashOf({});
	expect(hashOf({jupyter_token: 'another', env: [['RENTTY_WISH', 'a']]})).toBe(plain);
	const others = [
		hashOf({}, 'debian'),
		hashOf({args: ['/nowhere']}),
		hashOf({env: [['NVIDIA_REQUIRE_CUDA', 'cuda>=99']]}),
		hashOf({image_login: '-u a -p b c'}),
	];
	expect(new Set([plain, ...others]).size).toBe(5);
});
