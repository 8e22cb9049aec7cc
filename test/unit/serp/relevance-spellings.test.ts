/** Results that write the words of a query in another way: in several parts, or in other letters. */
import { describe, expect, test } from 'vitest';
import type { ResultItem } from '../../../lib/model/result.ts';
import { fitOf } from '../../../lib/serp/relevance.ts';

const result = (title: string, more: Partial<ResultItem> = {}): ResultItem => ({
  type: 'organic',
  position: '1',
  absolute_position: 1,
  title,
  url: 'https://site.example/',
  breadcrumb: '',
  snippet: '',
  ...more,
});

/** Six results with this title. */
const six = (title: string): ResultItem[] => Array.from({ length: 6 }, () => result(title));

const fitOfTitle = (query: string, title: string) => fitOf(query, six(title)).fit;

describe('words in several parts', () => {
  test.each([
    ['gpt5', 'GPT-5 is here'],
    ['h1b', 'The H-1B program'],
    ['h1b visa', 'H-1B visa'],
    ['ios18', 'iOS 18 features'],
    ['gta6', 'GTA 6: release date'],
    ['f16', 'F\u201116 Fighting Falcon'],
    ['ford f150', '2026 Ford F-150® Truck'],
    ['mazda mx5', 'Mazda MX-5 Miata'],
    ['vitamin b12', 'Vitamin B-12'],
    ['7zip', '7-Zip download'],
    ['wifi', 'Wi-Fi networks'],
    ['kpop', 'K-pop is popular music'],
    ['win11', 'Windows 11 download'],
    ['usa', 'The U.S.A. at a glance'],
    ['galaxys24', 'Galaxy S24'],
    ['o2', 'The O-2 sensor'],
    ['1000 calorie diet', '1,000-calorie diet plan'],
    ['1000 calorie diet', 'A diet of 1 000 calories'],
    ['1,000 calorie diet', '1000 calorie diet'],
    ['1.500 kalorien', 'Plan mit 1500 Kalorien'],
    ['gpt 5', 'GPT5 is here'],
    ['wi fi', 'WiFi networks'],
    ['k팝', 'K팝의 역사'],
    ['lg전자', 'LG전자 공식 사이트'],
    ['3d프린터', '3D 프린터 추천'],
    ['날씨예보', '이번 주 날씨 예보'],
  ])('results for "%s" may show "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).toBe('fits');
  });

  test.each([
    ['gpt5', 'GPT-4 in 5 minutes'],
    ['h1b', 'An H-2B visa in 1 box'],
    ['ios18', 'iOS 17 with 18 tips'],
    ['gta6', '6 tips for GTA'],
    ['win11', 'Windy days, 11 in all'],
    ['win11', 'Windows 11th edition'],
    ['usa', 'Contact us a day before'],
    ['1000', 'On the 1st of 000 days'],
    ['2024', '20 pages, 24 pictures'],
    ['lg전자', '삼성 스마트폰'],
  ])('results for "%s" do not show "%s"', (query, title) => {
    expect(fitOfTitle(query, title)).not.toBe('fits');
  });
});
